/** The steps of a run in their order, with the words a user sees. Apart from the schemas: a browser needs it without zod. */
export const stages = { queue: '排队', load: '加载数据', factors: '计算因子', simulate: '逐日模拟', report: '统计指标' } as const
export type Stage = keyof typeof stages
