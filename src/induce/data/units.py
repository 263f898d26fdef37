"""Units after numbers and currencies before or after them."""

from __future__ import annotations

CURRENCIES = (
    *("US$", "A$", "C$", "R$", "HK$", "NZ$", "$", "€", "£", "¥", "₹", "₽", "₩", "₺", "₴", "₪", "₫", "₱"),
    *("CHF", "USD", "EUR", "GBP", "JPY", "CNY", "SEK", "NOK", "DKK", "PLN", "CZK", "HUF", "INR", "BRL"),
    *("CAD", "AUD", "NZD", "ZAR", "MXN", "SFr.", "Fr.", "kr", "zł", "Kč", "Ft"),
)
"""Longer ones come first, so that a pattern of alternatives finds ``US$`` before ``$``."""

DIMENSIONS = {
    "currency": CURRENCIES,
    "share": ("%", "‰", "ppm", "ppb"),
    "mass": ("kg", "g", "mg", "µg", "t", "lb", "oz"),
    "length": ("km", "m", "dm", "cm", "mm", "µm", "nm", "in", "ft", "yd", "mi"),
    "area": ("m²", "km²", "cm²", "mm²", "ft²", "ha", "acre"),
    "volume": ("m³", "cm³", "l", "dl", "cl", "ml", "µl", "gal", "cc"),
    "time": ("year", "month", "week", "day", "h", "min", "s", "ms", "µs"),
    "temperature": ("°C", "°F", "°K", "K"),
    "speed": ("km/h", "m/s", "mph", "kn"),
    "frequency": ("Hz", "kHz", "MHz", "GHz", "rpm", "bpm"),
    "power": ("W", "kW", "MW", "GW", "mW", "hp", "PS"),
    "energy": ("J", "kJ", "MJ", "Wh", "kWh", "MWh", "cal", "kcal"),
    "pressure": ("Pa", "hPa", "kPa", "MPa", "bar", "mbar", "psi", "mmHg"),
    "voltage": ("V", "mV", "kV"),
    "current": ("A", "mA"),
    "force": ("N", "kN"),
    "data": ("B", "kB", "MB", "GB", "TB"),
    "concentration": ("mol", "mmol", "mol/l", "mmol/l", "µmol/l", "mg/dl", "g/dl", "g/l", "mg/l", "µg/l"),
    "intensity": ("dB", "lx", "lm"),
    "screen": ("px", "dpi"),
}
SYNONYMS = {
    **{
        "lbs": "lb",
        "pound": "lb",
        "pounds": "lb",
        "kgs": "kg",
        "kilo": "kg",
        "gr": "g",
        "ug": "µg",
        "μg": "µg",
    },
    **{"mcg": "µg", "to": "t", "tons": "t", "ounces": "oz", "inch": "in", "inches": "in", "feet": "ft"},
    **{
        "miles": "mi",
        "mile": "mi",
        "um": "µm",
        "μm": "µm",
        "m2": "m²",
        "km2": "km²",
        "cm2": "cm²",
        "qm": "m²",
    },
    **{"sqm": "m²", "sqft": "ft²", "acres": "acre", "m3": "m³", "cm3": "cm³", "cbm": "m³", "liter": "l"},
    **{
        "litre": "l",
        "liters": "l",
        "litres": "l",
        "years": "year",
        "yr": "year",
        "yrs": "year",
        "months": "month",
    },
    **{"weeks": "week", "days": "day", "hr": "h", "hrs": "h", "hour": "h", "hours": "h", "mins": "min"},
    **{
        "minute": "min",
        "minutes": "min",
        "sec": "s",
        "secs": "s",
        "second": "s",
        "seconds": "s",
        "msec": "ms",
    },
    **{"us": "µs", "μs": "µs", "kmh": "km/h", "km/hr": "km/h", "kph": "km/h", "ml/h": "ml/h", "kb": "kB"},
    **{"percent": "%", "pct": "%", "ºc": "°C", "ºf": "°F", "celsius": "°C", "fahrenheit": "°F"},
    **{"dollars": "$", "dollar": "$", "euro": "€", "euros": "€"},
}
_BY_UNIT = {unit: dimension for dimension, units in DIMENSIONS.items() for unit in units}
_LOWER: dict[str, str | None] = {}
for _unit in _BY_UNIT:  # units that differ only in case, such as mW and MW, must match exactly
    _LOWER[_unit.lower()] = None if _unit.lower() in _LOWER else _unit


def canonical(unit: str) -> str:
    """Return the usual notation of a unit; unknown units are returned unchanged.

    Examples
    --------
    >>> canonical("KG"), canonical("hrs"), canonical("MW"), canonical("a"), canonical("widgets")
    ('kg', 'h', 'MW', 'a', 'widgets')
    """
    if unit in _BY_UNIT:
        return unit
    if len(unit) == 1:  # 26a is a house number, not a current
        return "l" if unit == "L" else unit
    lower = unit.lower()
    return SYNONYMS.get(lower) or _LOWER.get(lower) or unit


def dimension(unit: str) -> str | None:
    """Return the quantity that a unit measures; None if the unit is unknown."""
    return _BY_UNIT.get(canonical(unit))
