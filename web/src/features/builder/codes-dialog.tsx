import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { securitiesQuery } from '../../api/queries.ts'
import { isComposing } from '../../base/composing.ts'
import { useMarket } from '../../market/market-context.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { folded } from '../../ui/folded.ts'
import { Icon } from '../../ui/icon.tsx'
import { Row } from '../../ui/layout.tsx'
import { codesIn } from './codes.ts'
import styles from './codes-dialog.module.css'

const shownAtMost = 50

/** A list of securities: found by code, name or initials, or pasted. */
export function CodesDialog({
  title,
  note,
  codes,
  onSave,
  onClose,
}: {
  title: string
  /** What an empty list means. */
  note: string
  codes: readonly string[]
  onSave: (codes: string[]) => void
  onClose: () => void
}) {
  const market = useMarket()
  const { data: securities = [], isError, refetch } = useQuery(securitiesQuery(market.id))
  const [chosen, setChosen] = useState<readonly string[]>(codes)
  const [search, setSearch] = useState('')
  const [unknown, setUnknown] = useState<readonly string[]>([])
  const names = useMemo(
    () => new Map(securities.flatMap(({ code, name, former_codes: former = [] }) => [...former, code].map((one) => [one, name]))),
    [securities],
  )
  const words = folded(search)
  const found = useMemo(() => {
    if (!words) return []
    return securities.filter(
      ({ code, name, pinyin }) => code.toLowerCase().includes(words) || folded(name).includes(words) || pinyin.includes(words),
    )
  }, [securities, words])
  const add = (code: string) => setChosen((before) => (before.includes(code) ? before : [...before, code]))
  const paste = (text: string) => {
    const { known, unknown } = codesIn(text, securities)
    if (known.length + unknown.length < 2) return false
    setChosen((before) => [...new Set([...before, ...known])])
    setUnknown(unknown)
    return true
  }
  return (
    <Dialog
      title={title}
      onClose={onClose}
      width={480}
      footer={
        <>
          <span className="text-3 size-12 grow">{chosen.length} 只</span>
          <Button onClick={onClose}>取消</Button>
          <Button look={['primary']} onClick={() => onSave([...chosen])}>
            确定
          </Button>
        </>
      }
    >
      <span className={`field ${styles.search}`}>
        <Icon name="search" />
        <input
          aria-label={`搜索${market.securityNoun}`}
          placeholder="代码、名称或拼音首字母；可粘贴多个代码"
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
          onPaste={(event) => {
            if (paste(event.clipboardData.getData('text'))) event.preventDefault()
          }}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || isComposing(event.nativeEvent)) return
            if (paste(search)) return setSearch('')
            const first = found[0]
            if (!first) return
            add(first.code)
            setSearch('')
          }}
        />
      </span>
      {unknown.length > 0 && (
        <p className="note" role="status">
          没有找到 {unknown.length} 个：{unknown.slice(0, 10).join('、')}
          {unknown.length > 10 && ' 等'}
        </p>
      )}
      {isError && (
        <p className="note">
          证券列表加载失败{' '}
          <Button look={['small']} onClick={() => refetch()}>
            重试
          </Button>
        </p>
      )}
      {words && (
        <ul className={styles.found}>
          {found.slice(0, shownAtMost).map(({ code, name }) => (
            <li key={code}>
              <button type="button" onClick={() => add(code)} disabled={chosen.includes(code)}>
                <span className="mono">{code}</span>
                {name}
                <span className="grow" />
                {chosen.includes(code) ? <span className="text-3">已在名单中</span> : <Icon name="plus" size="middle" />}
              </button>
            </li>
          ))}
          {found.length === 0 && <li className={styles.none}>没有找到「{search.trim()}」</li>}
        </ul>
      )}
      <Row gap={6} align="stretch" wrap className={styles.chosen}>
        {chosen.map((code) => (
          <span className="tag" key={code}>
            <span className="mono">{code}</span>
            {names.get(code)}
            <button type="button" aria-label={`移除 ${code}`} onClick={() => setChosen(chosen.filter((one) => one !== code))}>
              <Icon name="cross" size="small" />
            </button>
          </span>
        ))}
        {chosen.length === 0 && <p className="note">{note}</p>}
      </Row>
    </Dialog>
  )
}
