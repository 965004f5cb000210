import { type FormEvent, useEffect, useId, useState } from 'react'
import { useNavigate } from 'react-router'
import { type Found, find } from '../../features/palette/find.ts'
import { type LoadedSource, loadSource, sources } from '../../features/palette/sources.ts'
import { isAuthenticated } from '../../state/auth.ts'
import { Icon } from '../../ui/icon.tsx'
import { PageLink } from '../../ui/page-link.tsx'

const most = 6

/** Finds the page that was meant by its name; when logged in, securities too. */
export function PageSearch() {
  const [typed, setTyped] = useState('')
  const { loaded, load } = useSources()
  const navigate = useNavigate()
  const id = useId()
  const found = typed.trim() === '' ? [] : loaded.flatMap(({ index, most }) => find(index, typed, most)).slice(0, most)
  const openFirst = (event: FormEvent) => {
    event.preventDefault()
    if (found[0]) void navigate(found[0].entry.to)
  }
  return (
    <search className="page-search">
      <form onSubmit={openFirst}>
        <label className="field" htmlFor={id}>
          <Icon name="search" size="middle" />
          <span className="hidden-text">搜索</span>
          <input
            id={id}
            type="search"
            autoComplete="off"
            placeholder={isAuthenticated() ? '页面、证券代码、名称或拼音首字母' : '页面名称或拼音首字母'}
            value={typed}
            onFocus={load}
            onChange={(event) => {
              load()
              setTyped(event.currentTarget.value)
            }}
          />
        </label>
      </form>
      <ul aria-label="搜索结果">
        {found.map((one) => (
          <li key={one.entry.id}>
            <Hit found={one} />
          </li>
        ))}
      </ul>
      <p className="size-12" role="status">
        {typed.trim() !== '' && found.length === 0 ? '没有找到' : ''}
      </p>
    </search>
  )
}

const Hit = ({ found: { entry } }: { found: Found }) => (
  <PageLink to={entry.to}>
    {entry.title}
    {entry.code && <span className="mono">{entry.code}</span>}
    {entry.note && <span className="text-3">{entry.note}</span>}
  </PageLink>
)

/** Pages at once; securities when something is looked for, since only a login may read them. */
function useSources() {
  const [loaded, setLoaded] = useState<readonly LoadedSource[]>([])
  const [wanted, setWanted] = useState(false)
  useEffect(() => {
    if (!wanted) return
    let left = false
    for (const source of isAuthenticated() ? sources : sources.slice(0, 1))
      loadSource(source).then(
        (one) => left || setLoaded((before) => [...before, one]),
        () => {},
      )
    return () => {
      left = true
      setLoaded([])
    }
  }, [wanted])
  return { loaded, load: () => setWanted(true) }
}
