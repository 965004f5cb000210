import { calls } from '@convexa/contract/calls'
import type { Report } from '@convexa/contract/report'
import { call } from '../../api/client.ts'
import { sentenceOf } from '../../api/messages.ts'
import { queries } from '../../api/queries.ts'
import { InlineText } from '../../strategy/inline-text.tsx'
import { toast } from '../../ui/toast.tsx'
import { reportQuery } from './report-queries.ts'

const longest = 200

/** The note under the report's name, changed where it stands; shown at once, taken back when the server refuses it. */
export function NoteLine({ report, editing, onEditing }: { report: Report; editing: boolean; onEditing: (editing: boolean) => void }) {
  const { queryKey } = reportQuery(report.kind, report.backtest_id)
  const show = (note: string) => queries.setQueryData(queryKey, (stored: Report | undefined) => stored && { ...stored, note })
  const save = async (note: string) => {
    const before = report.note
    show(note)
    try {
      await call(calls.quant.noteBacktest, { params: { id: report.backtest_id }, body: { note } })
      toast.done(note ? '已保存备注' : '已清空备注')
    } catch (error) {
      show(before)
      toast.error(`备注没有保存：${sentenceOf(error)}`)
    }
  }
  return (
    <InlineText
      text={report.note}
      label="备注"
      placeholder="这次改了什么，为什么"
      check={(text) => (text.length > longest ? `备注最多 ${longest} 字` : null)}
      save={(note) => void save(note)}
      editing={editing}
      onEditing={onEditing}
    >
      {report.note ? <p className="note">备注：{report.note}</p> : null}
    </InlineText>
  )
}
