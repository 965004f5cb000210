import { calls } from '@convexa/contract/calls'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../../api/client.ts'
import { useAction } from '../../../api/use-action.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { FieldError } from '../../../ui/field-error.tsx'
import { FormRow } from '../../../ui/form/form-row.tsx'
import { TextField } from '../../../ui/form/text-field.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Row, Stack } from '../../../ui/layout.tsx'
import { copyText } from '../../../ui/table/sheet.ts'
import { reAuthed } from '../../account/re-auth.ts'
import { apiKeyQuery, qmtChanged } from '../qmt-queries.ts'
import styles from './key-dialog.module.css'

const wanted = '重新生成'

/** Makes a key. One that takes the place of another is asked for in words; what was made is shown once. */
export function KeyDialog({ onClose }: { onClose: () => void }) {
  const [made, setMade] = useState<Made | null>(null)
  if (made !== null) return <MadeKey {...made} onClose={onClose} />
  return <AskForKey onMade={setMade} onClose={onClose} />
}

interface Made {
  apiKey: string
  /** It takes the place of another, which goes on for ten minutes. */
  again: boolean
}

function AskForKey({ onMade, onClose }: { onMade: (made: Made) => void; onClose: () => void }) {
  const { data: before } = useQuery(apiKeyQuery)
  const again = before != null
  const [typed, setTyped] = useState('')
  const { busy, refused, run } = useAction()
  const ready = !again || typed.trim() === wanted
  const make = () =>
    run(async () => {
      try {
        const { api_key } = await reAuthed(() => call(calls.qmt.newApiKey, undefined))
        onMade({ apiKey: api_key, again })
      } finally {
        // Also after a lost answer: a new key may exist then, and another one would end the key in use at once.
        void qmtChanged()
      }
    })
  // The server makes the key in any case: closing before its answer would lose it.
  const leave = () => {
    if (!busy) onClose()
  }
  return (
    <Dialog
      title={again ? '重新生成 API 密钥' : '生成 API 密钥'}
      onClose={leave}
      footer={
        <>
          <Button disabled={busy} onClick={leave}>
            取消
          </Button>
          <Button look={['primary']} disabled={!ready || busy} onClick={() => void make()}>
            {busy ? '正在生成…' : again ? '重新生成' : '生成'}
          </Button>
        </>
      }
    >
      <form
        className="form above"
        onSubmit={(event) => {
          event.preventDefault()
          if (ready) void make()
        }}
      >
        <p>
          {again
            ? `旧密钥再过 10 分钟失效，请在这之前把新密钥填进客户端。${before.old_until ? '上一个还没失效的密钥会立即失效。' : ''}`
            : '密钥只显示一次，请准备好把它粘贴到客户端。生成前要验证一次身份。'}
        </p>
        {again && (
          <FormRow label={`输入「${wanted}」确认`} required>
            {(control) => <TextField {...control} value={typed} onChange={setTyped} placeholder={wanted} />}
          </FormRow>
        )}
        <FieldError>{refused}</FieldError>
      </form>
    </Dialog>
  )
}

/** The new key, shown once. Closing without having copied it gives one warning first. */
function MadeKey({ apiKey, again, onClose }: Made & { onClose: () => void }) {
  const [taken, setTaken] = useState(false)
  const [said, setSaid] = useState<string | null>(null)
  const copy = async () => {
    const done = await copyText(apiKey)
    setTaken(done)
    setSaid(done ? '已复制' : '浏览器不允许复制，请手动选中后复制。')
  }
  const leave = () => {
    if (taken || said === last) return onClose()
    setSaid(last)
  }
  return (
    <Dialog
      title="请保存新密钥"
      width={480}
      onClose={leave}
      footer={
        <Button look={taken ? ['primary'] : []} onClick={leave}>
          我已保存
        </Button>
      }
    >
      <Stack gap={12}>
        <p>
          这是唯一一次显示。
          {again ? '旧密钥再过 10 分钟失效。' : '丢失后只能重新生成。'}
        </p>
        <Row gap={8} className={styles.madeKeyLine}>
          <code className="mono">{apiKey}</code>
          <Button look={taken ? ['small'] : ['small', 'primary']} data-focus onClick={() => void copy()}>
            复制
          </Button>
        </Row>
        <p className={taken ? `${styles.madeKeySaid} ok` : `${styles.madeKeySaid} warn`} role="status">
          {said && <Icon name={taken ? 'check' : 'warn'} size="middle" />}
          {said}
        </p>
      </Stack>
    </Dialog>
  )
}

const last = '还没有复制。关闭后不再显示，再点一次「我已保存」即关闭。'
