import { calls } from '@convexa/contract/calls'
import { nameSentence } from '@convexa/contract/rules/names'
import type { User } from '@convexa/contract/user'
import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { call } from '../../../api/client.ts'
import { sentenceOf } from '../../../api/messages.ts'
import { isComposing } from '../../../base/composing.ts'
import { Button } from '../../../ui/button.tsx'
import { FieldError } from '../../../ui/field-error.tsx'
import { TextField } from '../../../ui/form/text-field.tsx'
import { Row } from '../../../ui/layout.tsx'
import { keepUser } from '../own-user.ts'
import styles from './profile.module.css'

/** The nickname, changed where it stands: shown at once, and taken back when the server refuses. */
export function Nickname({ user }: { user: User }) {
  const [typed, setTyped] = useState<string | null>(null)
  const [refused, setRefused] = useState<string | null>(null)
  const pencil = useRef<HTMLSpanElement>(null)
  const wasEditing = useRef(false)
  const editing = typed !== null
  useEffect(() => {
    if (wasEditing.current && !editing) pencil.current?.querySelector('button')?.focus()
    wasEditing.current = editing
  }, [editing])

  const begin = (text: string, message: string | null) => {
    setTyped(text)
    setRefused(message)
  }
  const save = async (event: FormEvent) => {
    event.preventDefault()
    const nickname = (typed ?? '').trim()
    const mistake = nameSentence(nickname)
    if (mistake) return setRefused(mistake)
    setTyped(null)
    if (nickname === user.nickname) return
    keepUser({ ...user, nickname })
    try {
      keepUser(await call(calls.user.changeInfo, { body: { nickname } }))
    } catch (error) {
      keepUser(user)
      begin(nickname, sentenceOf(error))
    }
  }
  const leave = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && !isComposing(event.nativeEvent)) setTyped(null)
  }

  if (typed === null)
    return (
      <Row as="span" gap={4} className={styles.nickname} ref={pencil}>
        <b>{user.nickname}</b>
        {!user.demo && (
          <Button look={['ghost', 'square', 'small']} icon="pencil" aria-label="修改昵称" onClick={() => begin(user.nickname, null)} />
        )}
      </Row>
    )
  return (
    <form className={styles.nicknameForm} onSubmit={(event) => void save(event)} onKeyDown={leave} aria-label="修改昵称">
      <div className="line">
        <TextField
          label="昵称"
          value={typed}
          onChange={setTyped}
          invalid={refused !== null}
          describedBy="nickname-message"
          placeholder="1 至 50 个字符"
          autoFocus
        />
        <Button type="submit" look={['primary', 'small']}>
          保存
        </Button>
        <Button look={['small']} onClick={() => setTyped(null)}>
          取消
        </Button>
      </div>
      <FieldError id="nickname-message">{refused}</FieldError>
    </form>
  )
}
