"""Inference in networks: enumeration, elimination, junction trees and approximate methods."""
