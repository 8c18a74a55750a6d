"""Texts for people, made from trees: cards, actions, rules, and the order in which rules hook procedures."""

from rulescript.render.card import CardWriter, render_cards
from rulescript.render.timeline import timeline_text

__all__ = ["CardWriter", "render_cards", "timeline_text"]
