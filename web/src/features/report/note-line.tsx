import type { ReportCore } from '@convexa/contract/report'
import { toast } from '../../ui/toast.tsx'
import { InlineText } from '../rule/inline-text.tsx'
import { noteRun } from './note-run.ts'

const longest = 200

/** The note under the report's name, changed where it stands; shown at once, taken back when the server refuses it. */
export function NoteLine({ report, editing, onEditing }: { report: ReportCore; editing: boolean; onEditing: (editing: boolean) => void }) {
  const save = async (note: string) => {
    const refused = await noteRun(report, note, () => onEditing(true))
    if (refused === null) toast.done(note ? '已保存备注' : '已清空备注')
    return refused
  }
  return (
    <InlineText
      text={report.note}
      label="备注"
      placeholder="这次改了什么，为什么"
      check={(text) => ([...text].length > longest ? `备注最多 ${longest} 字` : null)}
      save={save}
      editing={editing}
      onEditing={onEditing}
    >
      {report.note ? <p className="note">备注：{report.note}</p> : null}
    </InlineText>
  )
}
