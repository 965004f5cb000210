import { dataModes, isSynthetic } from '@convexa/contract/enums/data-mode'
import { ruleLabels } from '@convexa/contract/rule-labels'
import { useState } from 'react'
import { count } from '../../base/format.ts'
import { useMarket } from '../../market/market-context.tsx'
import type { Draft } from '../../state/drafts.ts'
import { Button } from '../../ui/button.tsx'
import { Sheet } from '../../ui/dialog.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Row, Stack } from '../../ui/layout.tsx'
import { Builder } from '../builder/builder.tsx'
import type { WorkbenchProps } from '../builder/workbench-props.ts'
import { sendable } from '../rule/draft.ts'
import { useDraft } from '../rule/use-draft.ts'
import { settingMistakes } from '../rule/validate.ts'
import { DraftBar, SaveButton } from '../saving/draft-bar.tsx'
import { LateChoices } from '../saving/late-choices.tsx'
import { useScreen } from '../screen/screen-run.ts'
import phoneWorkbenchStyles from './phone-workbench.module.css'
import workbenchStyles from './workbench.module.css'

/** The phone has room for one thing: the result. The rule is a sheet behind 条件, and run stands above the tabs. */
export function PhoneWorkbench({
  draft,
  action,
  withSettings = false,
  counted,
  onGallery,
  children,
}: WorkbenchProps & { draft: Draft; onGallery: () => void }) {
  const run = useRunnable(draft, withSettings, counted)
  const [open, setOpen] = useState(false)
  const [choosing, setChoosing] = useState(false)
  const { parameters, settings } = draft
  const conditions = parameters.filter_factors.filter(({ enable }) => enable).length
  const ranks = parameters.rank_factors.filter(({ enable }) => enable).length
  return (
    <main className="workbench" id="main">
      <Row gap={8} align="stretch" className="phone-draft">
        <Row
          as="button"
          gap={4}
          type="button"
          className={phoneWorkbenchStyles.phoneDraftName}
          aria-haspopup="dialog"
          onClick={() => setChoosing(true)}
        >
          <span className="hidden-text">策略</span>
          <b>{draft.name}</b>
          {draft.edited && <span className="warn">*</span>}
          <span className="hidden-text">，更换、保存或分享</span>
          <span className="grow" />
          <Icon name="down" size="small" />
        </Row>
        <SaveButton draft={draft} />
        <Button icon="filter" onClick={() => setOpen(true)} aria-haspopup="dialog">
          条件
          <span className={phoneWorkbenchStyles.phoneDraftCount}>{conditions + ranks}</span>
          <span className="hidden-text">条</span>
        </Button>
      </Row>
      <Stack gap={12} className={workbenchStyles.workbenchResult}>
        {children}
      </Stack>
      <Row gap={12} className="phone-run">
        <div>
          <b>{withSettings ? `${settings.start_date} ~ ${settings.end_date}` : run.words}</b>
          <span>{withSettings ? run.words : [run.day, run.demo && dataModes.demo.label].filter(Boolean).join(' · ')}</span>
        </div>
        <Button
          look={['primary']}
          icon="play"
          disabled={action.busy ?? false}
          onClick={() => (run.mistaken ? setOpen(true) : action.run(sendable(parameters), settings))}
        >
          {run.mistaken ? '改正条件' : action.busy ? '运行中…' : '运行'}
        </Button>
      </Row>
      {choosing && (
        <Sheet title="策略" onClose={() => setChoosing(false)}>
          <LateChoices draft={draft} onChosen={() => setChoosing(false)} onGallery={onGallery} />
          <DraftBar draft={draft} phone />
        </Sheet>
      )}
      {open && (
        <Sheet title={ruleLabels.parameters} full onClose={() => setOpen(false)}>
          <Builder
            draft={draft}
            action={action}
            withSettings={withSettings}
            counted={counted}
            onGallery={() => {
              setOpen(false)
              onGallery()
            }}
            inSheet
            onRun={() => setOpen(false)}
          />
        </Sheet>
      )}
    </main>
  )
}

/** Whether the draft can run, and how many the day's screen chose. */
function useRunnable({ parameters, settings }: Draft, withSettings: boolean, counted: WorkbenchProps['counted']) {
  const { securityNoun: noun } = useMarket()
  const { range } = useDraft()
  const { result: latest, mistakes } = useScreen(parameters)
  const result = counted ?? latest
  return {
    mistaken: mistakes.length > 0 || (withSettings && settingMistakes(settings, range).length > 0),
    words: result ? `${count(result.total)} 只${noun}选 ${result.selected}` : '正在计算…',
    day: result?.trade_date ?? '',
    demo: isSynthetic(result?.data_mode),
  }
}
