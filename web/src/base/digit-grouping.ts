let grouping = true

/** Whole numbers, money and per cents from now on as 1,234, or as 1234; what stands on the page is written so when it is drawn again. */
export function groupDigits(on: boolean): void {
  grouping = on
}

export const isGrouping = (): boolean => grouping
