import type { MarketId } from '@convexa/contract/enums/market'
import { type Draft, useStrategies } from '../../state/drafts.ts'
import { cellName } from './grid-model.ts'
import type { GridQuestion } from './grid-request.ts'
import { withNumber } from './with-number.ts'

/**
 * Writes a cell's numbers into the draft: one step of undo. A grid outlives the draft that it was asked of: where another strategy is on the
 * workbench by now, the cell becomes a draft of its own, or saving it would write the one strategy over the other.
 * @returns what was done, in words
 */
export function openCell(kind: MarketId, { name, strategyId, draftId, body, axes }: GridQuestion, index: readonly number[]): string {
  const { parameters, settings } = body.axes.reduce((made, axis, a) => withNumber(made, axis.path, axis.values[index[a] ?? 0] ?? 0), {
    parameters: body.parameters,
    settings: body.settings,
  })
  const { drafts, edit, set } = useStrategies.getState()
  const draft = drafts[kind]
  const isDraft = draftId === undefined ? draft?.name === name : draft?.id === draftId || draft?.was === draftId
  const same = draft?.saved && strategyId ? draft.saved.id === strategyId : isDraft
  // A range of the draft's own would take the dates back to its own: the cell is of those that the grid was asked on.
  const rangeOf = ({ range, settings: own }: Draft) =>
    own.start_date === settings.start_date && own.end_date === settings.end_date ? range : null
  if (same) edit(kind, (before) => ({ ...before, parameters, settings, range: rangeOf(before) }))
  else set(kind, { name, edited: true, ruleEdited: true, parameters, settings, range: null })
  return `${same ? '已写入草稿' : `已另开「${name}」的草稿`}：${cellName(axes, index)}`
}
