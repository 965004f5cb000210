import { calls } from '@convexa/contract/calls'
import { useState } from 'react'
import { download } from '../../../api/client.ts'
import { sentenceOf } from '../../../api/messages.ts'
import { useSite } from '../../../api/site.ts'
import { shanghai } from '../../../base/dates.ts'
import { Card } from '../../../ui/card.tsx'
import { FieldError } from '../../../ui/field-error.tsx'
import { FileButton } from '../../../ui/file-button.tsx'
import { saveText } from '../../../ui/table/sheet.ts'
import { toast } from '../../../ui/toast.tsx'
import { reAuthed } from '../re-auth.ts'
import { CopyButton, SettingRow } from './setting-row.tsx'

/** This browser as the site knows it, and all that the site keeps of the user. */
export function DeviceCard({ demo }: { demo: boolean }) {
  const { fingerprint } = useSite()
  return (
    <Card title="设备与数据" bare>
      <ul>
        <SettingRow name="设备标识" acts={<CopyButton text={fingerprint} name="设备标识" />}>
          <span className="mono">{fingerprint}</span>
        </SettingRow>
        {!demo && <ExportRow />}
      </ul>
    </Card>
  )
}

function ExportRow() {
  const [busy, setBusy] = useState(false)
  const [refused, setRefused] = useState<string | null>(null)
  const save = async () => {
    setBusy(true)
    setRefused(null)
    try {
      // As the server wrote it: a long history would be held here twice if it were read as a call's data.
      const response = await reAuthed(() => download(calls.user.export, undefined))
      saveText(`convexa-${shanghai(Date.now()).date}.json`, await response.text(), 'application/json')
      toast.done('已导出你的全部数据')
    } catch (error) {
      setRefused(sentenceOf(error))
    }
    setBusy(false)
  }
  return (
    <SettingRow
      name="我的数据"
      acts={
        <FileButton look={['small']} icon="download" disabled={busy} onClick={save}>
          {busy ? '正在导出…' : '导出'}
        </FileButton>
      }
    >
      <span className="size-12 text-3">账号、登录记录、策略与回测，一份 JSON 文件</span>
      <FieldError>{refused}</FieldError>
    </SettingRow>
  )
}
