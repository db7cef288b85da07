from typing import Any
View = dict[str, Any]
def view(g,seat): return {}
