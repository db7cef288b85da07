def question(g,s): return "?"
def sentence(g,s,a): return "?"
def report(e): return "?"
