import type { MarketId } from '@convexa/contract/enums/market'
import { useState } from 'react'
import { isComposing } from '../../base/composing.ts'
import { initialsOf } from '../../base/pinyin.ts'
import { type FactorText, factorExamples } from '../../market/factor-examples.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Row, Stack } from '../../ui/layout.tsx'
import { ErrorBlock } from '../../ui/states.tsx'
import type { FactorItem } from './drafts.ts'
import styles from './factor-list.module.css'

/** One's own factors: how often each is used, what is not saved; below them examples to begin with. */
export function FactorList({
  kind,
  items,
  current,
  loading,
  error,
  onRetry,
  onOpen,
  onNew,
  searchId,
}: {
  kind: MarketId
  items: readonly FactorItem[]
  current: string | null
  loading: boolean
  error: unknown
  onRetry: () => void
  onOpen: (id: string) => void
  onNew: (text?: FactorText) => void
  /** Of the search field, which a key leads to. */
  searchId: string
}) {
  const [search, setSearch] = useState('')
  const wanted = search.trim().toLowerCase()
  const shown = wanted ? items.filter((item) => wordsOf(item).some((word) => word.includes(wanted))) : items
  return (
    <Stack as="aside" className={styles.list} aria-label="我的因子">
      <Row gap={8} className={styles.search}>
        <span className="field">
          <Icon name="search" />
          <input
            id={searchId}
            type="search"
            aria-label="搜索我的因子"
            placeholder="搜索因子"
            value={search}
            onChange={(event) => setSearch(event.currentTarget.value)}
            onKeyDown={(event) => {
              const [first] = shown
              if (event.key === 'Enter' && !isComposing(event.nativeEvent) && first) onOpen(first.id)
            }}
          />
          <kbd>/</kbd>
        </span>
        <Button look={['square', 'small']} icon="plus" aria-label="新建因子" title="新建因子" onClick={() => onNew()} />
      </Row>
      {error !== null && <ErrorBlock error={error} still="没有保存的内容仍在本机，可以继续编写。" onRetry={onRetry} />}
      <ul>
        {loading && items.length === 0
          ? [104, 88, 120].map((width) => (
              <Stack as="li" gap={8} key={width} className={styles.waiting} aria-hidden="true">
                <span className="skeleton" style={{ width }} />
                <span className="skeleton" style={{ width: 72 }} />
              </Stack>
            ))
          : shown.map((item) => (
              <li key={item.id}>
                <button type="button" aria-current={item.id === current ? 'true' : undefined} onClick={() => onOpen(item.id)}>
                  <b>{item.text.name || '未命名因子'}</b>
                  <span className="mono">{item.saved?.factor_key ?? '草稿'}</span>
                  <Mark item={item} />
                </button>
              </li>
            ))}
        {!loading && items.length > 0 && shown.length === 0 && <li className="note">没有找到「{search}」</li>}
      </ul>
      <div className={styles.examples}>
        <h2>从示例开始</h2>
        {factorExamples[kind].map((example) => (
          <button key={example.name} type="button" onClick={() => onNew(example)}>
            {example.name}
          </button>
        ))}
      </div>
    </Stack>
  )
}

function Mark({ item: { unsaved, saved } }: { item: FactorItem }) {
  if (unsaved)
    return (
      <em className="warn">
        <i className="dot warn" aria-hidden="true" />
        未保存
      </em>
    )
  if (saved && !saved.available) return <em className="warn">无法计算</em>
  return <em>{usesOf(saved?.used_by ?? 0)}</em>
}

const usesOf = (uses: number): string => (uses > 0 ? `${uses} 处引用` : '未引用')

const wordsOf = ({ text, saved }: FactorItem): string[] =>
  [text.name, initialsOf(text.name), saved?.factor_key ?? '', text.description].map((word) => word.toLowerCase())
