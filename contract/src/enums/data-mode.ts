import type { Row } from './table.ts'

/** `data_mode`: where a market's numbers come from; every block that shows them says which. */
export const dataModes = {
  demo: { label: '演示数据', short: '演示', hint: '模拟生成，非真实行情' },
  imported: { label: '导入的行情', short: '导入' },
  platform: { label: '平台行情', short: '平台' },
} as const satisfies Record<string, Row & { readonly short: string }>
export type DataMode = keyof typeof dataModes
