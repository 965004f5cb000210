/** The two ends of a range of days, for a page that needs no other label of a rule. */
export const rangeLabels = { start_date: '开始日期', end_date: '结束日期' } as const
