import { type RefObject, useMemo, useState } from 'react'
import { isComposing } from '../../base/composing.ts'
import { Icon } from '../../ui/icon.tsx'
import { Popover } from '../../ui/popover.tsx'
import styles from './formula-card.module.css'
import type { FormulaHandle } from './formula-field.tsx'
import { type CompletionEntry, wordsFor } from './vocabulary.ts'

const names = { function: '函数', factor: '因子' } as const

/** Every function or factor by its family, to be searched and put at the cursor. */
export function WordMenu({
  kind,
  words,
  pen,
}: {
  kind: CompletionEntry['kind']
  words: readonly CompletionEntry[]
  pen: RefObject<FormulaHandle | null>
}) {
  return (
    <Popover
      align="right"
      button={
        <>
          {names[kind]}
          <Icon name="down" size="small" />
        </>
      }
    >
      {(close) => (
        <WordList
          kind={kind}
          words={words}
          onPick={(word) => {
            close()
            if (word.kind === 'function') pen.current?.insert(`${word.text}()`, (word.args?.length ?? 0) > 0 ? 1 : 0)
            else pen.current?.insert(word.text)
          }}
        />
      )}
    </Popover>
  )
}

function WordList({
  kind,
  words,
  onPick,
}: {
  kind: CompletionEntry['kind']
  words: readonly CompletionEntry[]
  onPick: (word: CompletionEntry) => void
}) {
  const [search, setSearch] = useState('')
  const own = useMemo(() => words.filter((word) => word.kind === kind), [words, kind])
  const found = search.trim() ? wordsFor(own, search, 60) : own
  const families = [...new Set(found.map(({ category }) => category))]
  return (
    <div className={styles.wordMenu}>
      <input
        type="search"
        aria-label={`搜索${names[kind]}`}
        placeholder="中文、拼音首字母或英文"
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
        onKeyDown={(event) => {
          const [first] = found
          if (event.key !== 'Enter' || isComposing(event.nativeEvent) || !first) return
          event.preventDefault()
          onPick(first)
        }}
      />
      <div className={styles.wordMenuList}>
        {found.length === 0 && <p className="note">{words.length === 0 ? '加载中…' : '没有找到'}</p>}
        {families.map((family) => (
          <div key={family}>
            <h4>{family}</h4>
            {found
              .filter(({ category }) => category === family)
              .map((word) => (
                <button
                  key={word.text}
                  type="button"
                  disabled={word.unavailable !== undefined}
                  title={word.unavailable ?? word.doc}
                  onClick={() => onPick(word)}
                >
                  <span>{word.label}</span>
                  <span className="mono">{word.text}</span>
                </button>
              ))}
          </div>
        ))}
      </div>
    </div>
  )
}
