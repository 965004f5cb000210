import { useEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import { isComposing } from '../../base/composing.ts'
import { usePhone } from '../../base/use-phone.ts'
import { keyRow } from '../../keys/key-map.ts'
import { KeyLine } from '../../keys/key-sheet.tsx'
import { boundActions } from '../../keys/use-keys.ts'
import { pageAt } from '../../routing/page-at.ts'
import { Button } from '../../ui/button.tsx'
import { Segmented } from '../../ui/controls.tsx'
import { Sheet } from '../../ui/dialog.tsx'
import { Row } from '../../ui/layout.tsx'
import { PageLink } from '../../ui/page-link.tsx'
import { entryOf, groups, type TermKey, termKeys } from './glossary.ts'
import { glossaryFound } from './glossary-search.ts'
import styles from './help-panel.module.css'
import { type HelpView, showHelp, useHelp } from './help-store.ts'
import { helpOf, type ScreenHelp } from './screens.ts'
import { EntryLines } from './term.tsx'

const close = () => showHelp(null)

/** Help beside the page, which stays usable; on the phone a sheet over it. */
export function HelpPanel() {
  const view = useHelp((state) => state.view)
  const phone = usePhone()
  if (!view) return null
  if (phone)
    return (
      <Sheet title="帮助" full onClose={close}>
        <Body view={view} />
      </Sheet>
    )
  return <SidePanel view={view} />
}

function SidePanel({ view }: { view: HelpView }) {
  const panel = useRef<HTMLElement>(null)
  useEffect(() => {
    const before = document.activeElement
    panel.current?.focus()
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [])
  return (
    <aside
      ref={panel}
      className={styles.panel}
      aria-label="帮助"
      tabIndex={-1}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || isComposing(event.nativeEvent)) return
        event.preventDefault()
        event.stopPropagation()
        close()
      }}
    >
      <header>
        <h2>帮助</h2>
        <span className="grow" />
        <Button look={['ghost', 'square', 'small']} icon="cross" aria-label="关闭帮助" onClick={close} />
      </header>
      <Body view={view} />
    </aside>
  )
}

function Body({ view }: { view: HelpView }) {
  const help = helpOf(pageAt(useLocation().pathname)?.path)
  return (
    <div className={styles.body}>
      <Segmented
        label="帮助内容"
        value={view.kind}
        choices={[
          { value: 'screen', label: '本页' },
          { value: 'glossary', label: '名词表' },
        ]}
        onChange={(kind) => showHelp(kind === 'screen' ? { kind } : { kind, term: null })}
      />
      {view.kind === 'glossary' ? <Glossary key={view.term ?? ''} term={view.term} /> : help ? <ScreenPart help={help} /> : <NoHelp />}
    </div>
  )
}

const NoHelp = () => (
  <p className="note">
    这一页还没有单独的帮助。可以查{' '}
    <button type="button" className="link" onClick={() => showHelp({ kind: 'glossary', term: null })}>
      名词表
    </button>
    。
  </p>
)

function ScreenPart({ help }: { help: ScreenHelp }) {
  const [keys] = useState(() => boundActions().filter((action) => keyRow(action).scope === 'page'))
  return (
    <>
      <h3 className={styles.title}>{help.title}</h3>
      <section>
        <h4>这一屏能做什么</h4>
        <Lines lines={help.does} />
      </section>
      <section>
        <h4>怎么看数字</h4>
        <Lines lines={help.reads} />
        {help.terms.length > 0 && (
          <Row as="p" gap={8} align="stretch" wrap className={styles.terms}>
            {help.terms.map((term) => (
              <button key={term} type="button" className="tag" onClick={() => showHelp({ kind: 'glossary', term })}>
                {entryOf(term).name}
              </button>
            ))}
          </Row>
        )}
      </section>
      <section>
        <h4>常见问题</h4>
        <dl>
          {help.asks.map(({ q, a }) => (
            <div key={q}>
              <dt>{q}</dt>
              <dd>{a}</dd>
            </div>
          ))}
        </dl>
      </section>
      <section>
        <h4>快捷键</h4>
        {keys.length === 0 ? (
          <p className="note">这一页没有单独的快捷键，全局的按 ? 查看。</p>
        ) : (
          <dl className={styles.keys}>
            {keys.map((action) => (
              <KeyLine key={action} action={action} />
            ))}
          </dl>
        )}
      </section>
    </>
  )
}

const Lines = ({ lines }: { lines: readonly string[] }) => (
  <ul>
    {lines.map((line) => (
      <li key={line}>{line}</li>
    ))}
  </ul>
)

/** All words by subject, to be searched; one may be open already. */
function Glossary({ term }: { term: TermKey | null }) {
  const [search, setSearch] = useState('')
  const [open, setOpen] = useState<TermKey | null>(term)
  const opened = useRef<HTMLButtonElement>(null)
  useEffect(() => opened.current?.scrollIntoView({ block: 'center' }), [])
  const found = glossaryFound(termKeys, search)
  return (
    <>
      <input
        className={styles.search}
        type="search"
        aria-label="搜索名词"
        placeholder="名词、英文或因子键"
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
      />
      {found.length === 0 && <p className="note">没有找到这个名词。</p>}
      {groups.map((group) => {
        const keys = found.filter((key) => entryOf(key).group === group)
        if (keys.length === 0) return null
        return (
          <section key={group}>
            <h4>{group}</h4>
            {keys.map((key) => {
              const entry = entryOf(key)
              const shown = open === key
              return (
                <div key={key} className={shown ? `${styles.entry} ${styles.open}` : styles.entry}>
                  <button
                    type="button"
                    ref={key === term ? opened : undefined}
                    aria-expanded={shown}
                    onClick={() => setOpen(shown ? null : key)}
                  >
                    {entry.name}
                  </button>
                  {shown && (
                    <>
                      <EntryLines entry={entry} />
                      <PageLink className="link" to={entry.link.to}>
                        {entry.link.label}
                      </PageLink>
                    </>
                  )}
                </div>
              )
            })}
          </section>
        )
      })}
    </>
  )
}
