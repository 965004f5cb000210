# -*- coding: utf-8 -*-
"""The client that trades by the targets of a config, on the user's own computer."""

VERSION = '2.0.0'
