"""What every game must hold to, whatever its rules: checked on random legal play."""
