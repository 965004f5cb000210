import type { MarketId } from '@convexa/contract/enums/market'
import type { StrategyListItem } from '@convexa/contract/saved-strategy'
import { type FormEvent, useId, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FieldError } from '../../ui/field-error.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { Row, Stack } from '../../ui/layout.tsx'
import { notifyRolledBack } from '../../ui/rollback-toast.ts'
import { Tag } from '../../ui/tag.tsx'
import { describeStrategy } from './strategy-changes.ts'
import styles from './tags-dialog.module.css'

const mostTags = 10
const longestTag = 20

/** Tags of a strategy: typed one by one, taken from those in use, removed. */
export function TagsDialog({
  kind,
  strategy,
  known,
  onClose,
}: {
  kind: MarketId
  strategy: Pick<StrategyListItem, 'id' | 'strategy_name' | 'remark' | 'tags'>
  /** Tags of the other strategies. */
  known: readonly string[]
  onClose: () => void
}) {
  const [tags, setTags] = useState<readonly string[]>(strategy.tags)
  const [typed, setTyped] = useState('')
  const id = useId()
  const word = typed.normalize('NFC').trim()
  const mistake =
    [...word].length > longestTag
      ? `标签最多 ${longestTag} 个字`
      : tags.length >= mostTags && word !== ''
        ? `最多 ${mostTags} 个标签`
        : null
  const add = (tag: string) => {
    if (tag !== '' && !tags.includes(tag) && tags.length < mostTags) setTags([...tags, tag])
  }
  const take = (event: FormEvent) => {
    event.preventDefault()
    if (mistake) return
    add(word)
    setTyped('')
  }
  const save = () => {
    onClose()
    const next = word !== '' && !mistake && !tags.includes(word) ? [...tags, word] : [...tags]
    describeStrategy(kind, strategy, { tags: next }).catch((error: unknown) => notifyRolledBack('标签', error))
  }
  const others = known.filter((tag) => !tags.includes(tag)).slice(0, 12)
  return (
    <Dialog
      title={`标签 · ${strategy.strategy_name}`}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>取消</Button>
          <Button look={['primary']} disabled={mistake !== null} onClick={save}>
            保存
          </Button>
        </>
      }
    >
      <Stack as="form" gap={12} className={styles.tagsDialog} onSubmit={take}>
        <div className="line">
          <TextField
            label="新标签"
            value={typed}
            onChange={setTyped}
            placeholder="输入后按回车添加"
            invalid={mistake !== null}
            describedBy={`${id}-message`}
          />
          <Button type="submit" disabled={word === '' || mistake !== null}>
            添加
          </Button>
        </div>
        <FieldError id={`${id}-message`}>{mistake}</FieldError>
        <Row inline gap={4} align="stretch" wrap>
          {tags.map((tag) => (
            <Tag key={tag} onRemove={() => setTags(tags.filter((one) => one !== tag))}>
              {tag}
            </Tag>
          ))}
          {tags.length === 0 && <span className="text-3 size-12">还没有标签</span>}
        </Row>
        {others.length > 0 && (
          <fieldset>
            <legend className="size-12 text-2">用过的标签</legend>
            <Row inline gap={4} align="stretch" wrap>
              {others.map((tag) => (
                <button type="button" className={styles.tagChoice} key={tag} onClick={() => add(tag)}>
                  + {tag}
                </button>
              ))}
            </Row>
          </fieldset>
        )}
      </Stack>
    </Dialog>
  )
}
