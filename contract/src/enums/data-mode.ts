import { type Row, valuesOf } from './table.ts'

export interface DataModeRow extends Row {
  readonly short: string
  /** Made by a model: never traded on, and never joined with a real market's data. */
  readonly synthetic: boolean
}

/** `data_mode`: where a market's numbers come from; every block that shows them says which. */
export const dataModes = {
  demo: { label: '演示数据', short: '演示', hint: '模拟生成，非真实行情', synthetic: true },
  imported: { label: '导入的行情', short: '导入', synthetic: false },
  platform: { label: '平台行情', short: '平台', synthetic: false },
} as const satisfies Record<string, DataModeRow>
export type DataMode = keyof typeof dataModes

/** What synthetic data are, in one phrase. */
export const demoLabel = `${dataModes.demo.label}（${dataModes.demo.hint}）`

/** Whether numbers come from a model; no, where there are none yet. */
export const isSynthetic = (mode: DataMode | null | undefined): boolean => mode != null && dataModes[mode].synthetic

/** Modes whose data may stand beside those of a mode: synthetic data beside synthetic data alone. */
export const modesBeside = (mode: DataMode): DataMode[] => valuesOf(dataModes).filter((each) => isSynthetic(each) === isSynthetic(mode))
