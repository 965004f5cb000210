import { type KeyboardEvent, useDeferredValue, useEffect, useId, useMemo, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { isComposing } from '../../base/composing.ts'
import { Icon } from '../../ui/icon.tsx'
import { Row, Stack } from '../../ui/layout.tsx'
import { Modal } from '../../ui/overlay/modal.tsx'
import { type Found, find, type Mark } from './find.ts'
import styles from './palette.module.css'
import { recentEntries, remember } from './recent.ts'
import { type LoadedSource, loadSource, sources } from './sources.ts'

interface Group {
  name: string
  found: readonly Found[]
}

/** Where to? One box for pages, securities, strategies and factors: the combobox pattern of the ARIA practices, its list in groups. */
export function Palette({ onClose }: { onClose: () => void }) {
  const list = useRef<HTMLDivElement>(null)
  const navigate = useNavigate()
  const id = useId()
  const [typed, setTyped] = useState('')
  const [at, setAt] = useState(0)
  const { loaded, failed } = useSources()
  const word = useDeferredValue(typed)
  const groups = useMemo(() => groupsOf(loaded, word), [loaded, word])
  const all = groups.flatMap(({ found }) => found)

  // biome-ignore lint/correctness/useExhaustiveDependencies: the chosen line stays in sight
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [at, groups])

  const open = ({ entry }: Found) => {
    remember(entry)
    onClose()
    void navigate(entry.to)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (isComposing(event.nativeEvent)) return
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
      event.preventDefault()
      return onClose()
    }
    const last = all.length - 1
    const places: Record<string, number> = {
      ArrowDown: at >= last ? 0 : at + 1,
      ArrowUp: at <= 0 ? last : at - 1,
      PageDown: last,
      PageUp: 0,
    }
    const place = places[event.key]
    if (place !== undefined) setAt(Math.max(0, place))
    else if (event.key === 'Enter') {
      const { value } = event.currentTarget
      // The list follows what is typed a moment later: Enter means what is typed.
      const chosen = value === word ? all[at] : groupsOf(loaded, value).flatMap(({ found }) => found)[0]
      if (chosen) open(chosen)
    } else return
    event.preventDefault()
  }
  const optionId = (index: number) => `${id}-option-${index}`
  let index = -1
  return (
    <Modal className={styles.palette} label="搜索证券、策略、因子与页面" focus={['input']} onClose={onClose}>
      <Stack className={styles.box}>
        <Row gap={8} className={styles.input}>
          <Icon name="search" />
          <input
            role="combobox"
            aria-label="代码、名称或拼音"
            aria-expanded={all.length > 0}
            aria-controls={`${id}-list`}
            aria-autocomplete="list"
            aria-activedescendant={all.length > 0 ? optionId(at) : undefined}
            autoComplete="off"
            spellCheck={false}
            placeholder="代码、名称或拼音首字母"
            value={typed}
            onChange={({ currentTarget }) => {
              setTyped(currentTarget.value)
              setAt(0)
            }}
            onKeyDown={onKeyDown}
          />
          <button type="button" onClick={onClose} aria-label="Esc 关闭">
            <kbd>Esc</kbd>
          </button>
        </Row>
        <div className={styles.list} id={`${id}-list`} role="listbox" aria-label="结果" ref={list}>
          {groups.map(({ name, found }) => (
            // biome-ignore lint/a11y/useSemanticElements: a group of options, not of fields
            <div role="group" aria-labelledby={`${id}-${name}`} key={name}>
              <div className={styles.group} id={`${id}-${name}`} role="presentation">
                {name}
              </div>
              {found.map((one) => {
                index++
                const mine = index
                return (
                  // The input above handles the keys.
                  <Row
                    gap={8}
                    key={one.entry.id}
                    id={optionId(mine)}
                    className={styles.option}
                    role="option"
                    tabIndex={-1}
                    aria-selected={mine === at}
                    onPointerMove={() => setAt(mine)}
                    onClick={() => open(one)}
                  >
                    <span className="palette-title">
                      <Marked text={one.entry.title} mark={one.title} />
                    </span>
                    {one.entry.code && (
                      <span className="mono">
                        <Marked text={one.entry.code} mark={one.code} />
                      </span>
                    )}
                    <span className="grow" />
                    {one.entry.note && <small>{one.entry.note}</small>}
                    {mine === at && <Icon name="enter" size="middle" />}
                  </Row>
                )
              })}
            </div>
          ))}
        </div>
        <p className={all.length === 0 ? styles.none : 'hidden-text'} role="status">
          {all.length > 0
            ? `${all.length} 个结果`
            : loaded.length < sources.length - failed.length
              ? '正在读取…'
              : `没有找到「${typed}」。试试代码、名称，或拼音首字母，如 yszz。`}
        </p>
        {failed.length > 0 && (
          <p className={`${styles.none} warn`} role="status">
            {failed.join('、')}列表加载失败，暂时只能找到其余内容。
          </p>
        )}
      </Stack>
    </Modal>
  )
}

function Marked({ text, mark }: { text: string; mark: Mark | null }) {
  if (!mark) return text
  const [from, to] = mark
  return (
    <>
      {text.slice(0, from)}
      <mark>{text.slice(from, to)}</mark>
      {text.slice(to)}
    </>
  )
}

/** Each source joins when it is there; what failed is named. */
function useSources() {
  const [loaded, setLoaded] = useState<readonly LoadedSource[]>([])
  const [failed, setFailed] = useState<readonly string[]>([])
  useEffect(() => {
    let here = true
    for (const source of sources)
      loadSource(source).then(
        (one) => here && setLoaded((before) => [...before, one]),
        () => here && setFailed((before) => [...before, source.group]),
      )
    return () => {
      here = false
    }
  }, [])
  return { loaded, failed }
}

/** The groups in the order of the sources; before anything is typed, what was chosen last and what is offered. */
function groupsOf(loaded: readonly LoadedSource[], word: string): Group[] {
  const empty = word.trim() === ''
  const ordered = sources.flatMap(({ group }) => loaded.filter((one) => one.group === group))
  const groups = ordered
    .filter(({ offered }) => !empty || offered)
    .map(({ group, index, most }) => ({ name: group, found: find(index, word, most) }))
  const recent = empty ? recentEntries().map((entry) => ({ entry, title: null, code: null })) : []
  return [{ name: '最近', found: recent }, ...groups].filter(({ found }) => found.length > 0)
}
