"""`make bench PARTS=plan`: a platform larger than any machine, simulated from what was measured.

`calibrate` measures what nothing else in the bench does, `costs` has the table of all costs with
their sources, `demand` adds them up, `queues`, `moves` and `failures` simulate, `report` says what
comes of it. `python -m bench.plan` says it again without measuring anew. docs/scale.md is the page.
"""
