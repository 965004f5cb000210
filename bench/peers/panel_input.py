"""The input that both sides read: raw doubles, day-major, written by bench/src/inputs.ts."""
import json
import os

import numpy as np


class PanelInput:
    def __init__(self, folder):
        with open(os.path.join(folder, "panel.json")) as file:
            page = json.load(file)
        self.days, self.count = len(page["dates"]), len(page["codes"])
        self.fields = {key: self._read(folder, key + ".f64", np.float64).reshape(self.days, self.count) for key in page["fields"]}
        self.groups = {key: self._read(folder, key + ".i32", np.int32) for key in ("industry_1", "industry_2", "industry_3")}

    @staticmethod
    def _read(folder, name, kind):
        return np.fromfile(os.path.join(folder, name), dtype=kind)

    def moved(self, turn):
        """The fields with one day moved by about a billionth: the same sum as moveOneDay in inputs.ts."""
        return {key: self.moved_field(key, turn) for key in self.fields}

    def moved_field(self, key, turn):
        cells = self.fields[key].copy()
        cells[max(0, self.days - 20 - turn % 10)] *= 1 + (turn + 1) * 1e-9
        return cells
