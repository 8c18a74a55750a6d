"""The generic kernel: it runs effect trees and knows no rule of any game."""
