"""Pictures of positions, as the page draws them, without a browser.

Design. The page's own drawings are built into one script (`web/src/pictures`), which an embedded
JavaScript engine runs in a process of its own, so that no player waits while somebody's picture is
drawn: `artist` is that process, `studio` its other end. `gallery` decides who may see what, by the
same calls as views, and keeps what was drawn; `film` makes one file of many pictures. Where the
engine or the converter to PNG is not installed, that is said, and all else works.
Why it is so: docs/decisions/0023-pictures-of-positions.md.
"""
