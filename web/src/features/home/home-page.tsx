import { defaultMarketId, markets } from '@convexa/contract/enums/market'
import { useState } from 'react'
import { usePhone } from '../../base/use-phone.ts'
import { useKeys } from '../../keys/use-keys.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Row, Stack } from '../../ui/layout.tsx'
import { Menu } from '../../ui/menu.tsx'
import { differenceOf, useConfirmedLists } from '../current-list/confirmed-lists.ts'
import { Footer } from '../legal/footer.tsx'
import { knownDone } from '../onboarding/checklist.ts'
import { ChecklistCard } from '../onboarding/checklist-card.tsx'
import { StrategyChangeDrawer } from '../screen/strategy-change-drawer.tsx'
import { roundWords } from '../strategy/glance-queue.ts'
import { useGlances } from '../strategy/glance-refresh.ts'
import { useGallery } from '../templates/gallery-state.ts'
import { ConceptsCard } from './concepts-card.tsx'
import { DifferenceCard } from './difference-card.tsx'
import { useHome } from './home-data.ts'
import { FiguresStamp, MarketStrip } from './market-strip.tsx'
import { RunsCard } from './runs-card.tsx'
import { StrategiesCard } from './strategies-card.tsx'
import { TodoCard } from './todo-card.tsx'
import type { OwnStrategy } from './todos.ts'
import './home.css'

/** 工作台: what changed since yesterday, and what there is to do today. Each card fails by itself. */
export function HomePage() {
  const { own, runs, todos, isNew } = useHome()
  const [opened, setOpened] = useState<OwnStrategy | null>(null)
  const differing = useDiffering(own.strategies)
  const phone = usePhone()
  const [first] = differing
  const todo = <TodoCard todos={todos} loading={own.loading} failed={own.error !== null} />
  const done = knownDone(runs.data?.total ?? 0, own.strategies.length)
  return (
    <>
      <Head strategies={own.strategies} differing={differing.length} todos={todos.length} isNew={isNew} />
      <main id="main" className="home">
        <MarketStrip />
        <div className="home-columns">
          <Stack gap={12} className="home-column">
            {phone && !isNew && todo}
            {isNew ? (
              <ChecklistCard known={done} lead />
            ) : (
              <>
                <StrategiesCard own={own} current={opened?.id ?? first?.id ?? null} onDifference={setOpened} />
                {first && <DifferenceCard key={first.id} strategy={first} onMore={() => setOpened(first)} />}
                <RunsCard runs={runs} />
              </>
            )}
          </Stack>
          <Stack gap={12} className="home-column">
            {(!phone || isNew) && todo}
            {!isNew && <ChecklistCard known={done} />}
            <ConceptsCard />
          </Stack>
        </div>
      </main>
      <Footer />
      {opened && <StrategyChangeDrawer kind={opened.kind} id={opened.id} name={opened.strategy_name} onClose={() => setOpened(null)} />}
    </>
  )
}

/** Strategies whose newest list differs from the one that was confirmed, or from the day before. */
function useDiffering(strategies: readonly OwnStrategy[]): OwnStrategy[] {
  const { lists } = useConfirmedLists()
  return strategies.filter(({ id, glance }) => {
    if (!glance) return false
    const { added, removed } = differenceOf(glance, lists[id])
    return added.length + removed.length > 0
  })
}

function Head({
  strategies,
  differing,
  todos,
  isNew,
}: {
  strategies: readonly OwnStrategy[]
  differing: number
  todos: number
  isNew: boolean
}) {
  const { add, cancel, ...queue } = useGlances()
  const round = roundWords(queue)
  const refresh = () => add(strategies.map(({ kind, id, strategy_name: name }) => ({ kind, id, name })))
  useKeys({ refresh })
  const kind = strategies[0]?.kind ?? defaultMarketId
  return (
    <Row as="section" gap={8} className="subheader home-head" aria-label="工作台概况">
      <h1>工作台</h1>
      {!isNew && (
        <p className="home-sum">
          名单有差异的策略 <b>{differing}</b> 个，待办 <b>{todos}</b> 项
        </p>
      )}
      <span className="grow" />
      <FiguresStamp kind={kind} />
      {round ? (
        <span className="home-round">
          <span className="spinner" />
          <span role="status">{round}</span>
          <Button look={['small']} onClick={cancel}>
            取消
          </Button>
        </span>
      ) : (
        <Button look={['small']} icon="refresh" disabled={strategies.length === 0} aria-keyshortcuts="r" onClick={refresh}>
          刷新概览 <kbd>r</kbd>
        </Button>
      )}
      <NewStrategy />
    </Row>
  )
}

const NewStrategy = () => (
  <Menu
    className="button small primary"
    align="right"
    button={
      <>
        <Icon name="plus" size="middle" />
        新建策略
      </>
    }
    choices={Object.values(markets).map(({ id: kind, label, path }) => ({
      label,
      to: `${path}/screen`,
      run: () => useGallery.getState().show(kind),
    }))}
  />
)
