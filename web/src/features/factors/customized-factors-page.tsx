import { type MarketId, marketIds, markets, parseMarketId } from '@convexa/contract/enums/market'
import { useId, useState } from 'react'
import { useSearchParams } from 'react-router'
import { usePhone } from '../../base/use-phone.ts'
import { useKeys } from '../../keys/use-keys.ts'
import { MarketProvider } from '../../market/market-context.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Sheet } from '../../ui/dialog.tsx'
import { Row, Stack } from '../../ui/layout.tsx'
import { ErrorBlock } from '../../ui/states.tsx'
import { Footer } from '../legal/footer.tsx'
import styles from './customized-factors.module.css'
import { isNew } from './drafts.ts'
import { FactorActions } from './factor-actions.tsx'
import { FactorList } from './factor-list.tsx'
import { NoFactor } from './no-factor.tsx'
import { type FactorItems, useFactorItems } from './use-factor-items.ts'
import { useWork } from './use-work.ts'
import { WorkArea } from './work-area.tsx'

/** 自定义因子: write a factor, see that it is what one meant, use it. */
export function CustomizedFactorsPage() {
  const [query, setQuery] = useSearchParams()
  const kind = parseMarketId(query.get('kind'))
  const show = (next: MarketId, id?: string) => setQuery(id ? { kind: next, id } : { kind: next }, { replace: next === kind })
  return (
    <MarketProvider market={markets[kind]}>
      <Factors key={kind} kind={kind} id={query.get('id')} onShow={show} />
    </MarketProvider>
  )
}

function Factors({ kind, id, onShow }: { kind: MarketId; id: string | null; onShow: (kind: MarketId, id?: string) => void }) {
  const phone = usePhone()
  const searchId = useId()
  const [listOpen, setListOpen] = useState(false)
  const list = useFactorItems(kind, id, (next) => {
    onShow(kind, next)
    setListOpen(false)
  })
  const work = useWork(kind, list)
  const { item } = list
  useKeys({
    search: () => document.getElementById(searchId)?.focus(),
    ...(item ? { run: () => work.run(), save: () => void work.save() } : {}),
  })
  const ownList = (
    <FactorList
      {...{ kind, searchId, items: list.items, current: item?.id ?? null, loading: list.loading, error: list.error }}
      onRetry={list.retry}
      onOpen={list.open}
      onNew={list.create}
    />
  )
  return (
    <>
      <Row as="section" gap={8} className={`subheader ${styles.head}`} aria-label="自定义因子导航">
        <h1>自定义因子</h1>
        <nav className="tabs" aria-label="市场">
          {marketIds.map((one) => (
            <button key={one} type="button" aria-current={one === kind ? 'page' : undefined} onClick={() => onShow(one)}>
              {markets[one].label}
              {one === kind && <em>{list.items.length}</em>}
            </button>
          ))}
        </nav>
        <span className="grow" />
        {item && !phone && <FactorActions kind={kind} item={item} work={work} onGone={list.gone} />}
        {phone && (
          <Button look={['small']} icon="columns" onClick={() => setListOpen(true)}>
            我的因子 {list.items.length}
          </Button>
        )}
      </Row>
      <main id="main" className={styles.factors}>
        {!phone && ownList}
        {phone && list.error !== null && (
          <ErrorBlock error={list.error} still="没有保存的内容仍在本机，可以继续编写。" onRetry={list.retry} />
        )}
        {item ? <WorkArea key={item.id} kind={kind} item={item} work={work} /> : <Nothing list={list} kind={kind} />}
      </main>
      <Footer />
      {item && phone && (
        <div className={styles.foot}>
          <FactorActions kind={kind} item={item} work={work} onGone={list.gone} />
        </div>
      )}
      {listOpen && phone && (
        <Sheet title={`我的${markets[kind].label}因子`} full onClose={() => setListOpen(false)}>
          {ownList}
        </Sheet>
      )}
      <p className="hidden-text" role="status">
        {item && isNew(item.id) ? '正在编写新因子' : ''}
      </p>
    </>
  )
}

/** No factor is open: they are on their way, or there is none. */
function Nothing({ kind, list }: { kind: MarketId; list: FactorItems }) {
  if (!list.loading) return <NoFactor kind={kind} known={list.error === null} onNew={list.create} />
  return (
    <div className={styles.work} aria-hidden="true">
      <Stack gap={12}>
        <Card plain className={styles.skeleton}>
          <span className="skeleton" style={{ width: '60%' }} />
          <span className={`skeleton ${styles.skeletonText}`} />
        </Card>
        <Card plain className={styles.skeleton}>
          <span className="skeleton" style={{ width: 96 }} />
        </Card>
      </Stack>
      <Stack gap={12}>
        <Card plain className={styles.skeleton}>
          <span className="skeleton" style={{ width: 64 }} />
        </Card>
      </Stack>
    </div>
  )
}
