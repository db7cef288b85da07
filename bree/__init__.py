"""Bree: four Middle-earth board games for people and programs."""
