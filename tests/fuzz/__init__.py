"""The long tests: fresh seeds for as long as one likes, every failure kept as a record."""
