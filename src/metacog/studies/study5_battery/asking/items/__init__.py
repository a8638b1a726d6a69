"""The battery's items: written ones read from a file, the others made by a seed."""

from metacog.studies.study5_battery.asking.items.battery import battery, drawn
from metacog.studies.study5_battery.asking.items.item import BatteryItem, checked

__all__ = ["BatteryItem", "battery", "checked", "drawn"]
