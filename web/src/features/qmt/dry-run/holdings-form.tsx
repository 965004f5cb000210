import type { DryRunBody } from '@convexa/contract/qmt-basket'
import { useState } from 'react'
import { CallError, sentenceOf } from '../../../api/messages.ts'
import { dateTime } from '../../../base/dates.ts'
import { Button } from '../../../ui/button.tsx'
import { Segmented } from '../../../ui/controls.tsx'
import { FileDrop } from '../../../ui/form/file-drop.tsx'
import { FormRow } from '../../../ui/form/form-row.tsx'
import { TextArea } from '../../../ui/form/text-field.tsx'
import styles from './dry-run.module.css'
import { mostBytes, textOfTable } from './table-file.ts'

type From = 'heartbeat' | 'table' | 'none'
const badHoldings = 40000

/** What is held now: told by the client's heartbeat, as a table, or nothing. */
export function HoldingsForm({
  heartbeat,
  busy,
  error,
  onRun,
}: {
  /** When the client told its holdings last. */
  heartbeat: string | null
  busy: boolean
  error: unknown
  onRun: (body: DryRunBody) => void
}) {
  const [from, setFrom] = useState<From>(heartbeat ? 'heartbeat' : 'table')
  const [text, setText] = useState('')
  const [file, setFile] = useState<File | null>(null)
  const take = async (given: File | null) => {
    setFile(given)
    if (given) setText(textOfTable(await given.arrayBuffer()))
  }
  const unread = error instanceof CallError && error.code === badHoldings ? sentenceOf(error) : null
  const run = () => onRun(from === 'heartbeat' ? {} : from === 'none' ? { holdings: [] } : { holdings_text: text })
  return (
    <form
      className={`form above ${styles.holdingsForm}`}
      aria-label="现有持仓"
      onSubmit={(event) => {
        event.preventDefault()
        run()
      }}
    >
      <FormRow label="现有持仓" group>
        {() => (
          <Segmented
            label="现有持仓"
            value={from}
            onChange={setFrom}
            choices={[
              { value: 'heartbeat', label: '客户端心跳', disabled: heartbeat === null },
              { value: 'table', label: '粘贴或导入' },
              { value: 'none', label: '空仓' },
            ]}
          />
        )}
      </FormRow>
      {from === 'heartbeat' && (
        <p className="note">客户端 {heartbeat ? dateTime(heartbeat).slice(0, 16) : ''} 报告的、由这份配置买入的持仓。</p>
      )}
      {from === 'none' && <p className="note">假定什么都没有持有：看第一次建仓会买什么、各买多少。</p>}
      {from === 'table' && (
        <>
          <FormRow
            label="持仓表"
            message={unread}
            hint="从券商终端复制或导出的持仓都可以：有「证券代码」和「持仓数量」两列即可；没有表头时每行写代码和数量。"
          >
            {(control) => (
              <TextArea {...control} value={text} onChange={setText} rows={5} most={100_000} placeholder={'127056.SZ 90\n113050.SH 80'} />
            )}
          </FormRow>
          <FileDrop label="持仓文件" file={file} onChange={(given) => void take(given)} endings={['.csv', '.txt']} most={mostBytes} />
        </>
      )}
      <div>
        <Button type="submit" look={['primary']} disabled={busy || (from === 'table' && text.trim() === '')}>
          {busy ? '正在演练…' : '演练'}
        </Button>
      </div>
    </form>
  )
}
