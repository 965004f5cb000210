import { useEffect, useState } from 'react'
import { Button } from '../src/ui/button.tsx'
import { advance, noPace, secondsLeft } from '../src/ui/progress.ts'
import { ProgressBar, ProgressLine } from '../src/ui/progress-bar.tsx'
import { Section } from '../src/ui/section.tsx'
import { SplitPanel } from '../src/ui/split-panel.tsx'
import { Sample, Samples } from './sample.tsx'
import type { StyleguideSection } from './section-file.ts'

export const sections: readonly StyleguideSection[] = [
  { key: 'panels', title: '分栏与面板', Component: Panels },
  { key: 'progress', title: '进度', Component: Progress },
]

function Panels() {
  return (
    <Samples>
      <Sample name="分栏：拖动，或聚焦后 ← →、Home、End、回车收起" wide>
        <div className="card" style={{ height: 160, overflow: 'hidden' }}>
          <SplitPanel
            name="styleguide.split"
            label="条件"
            size={320}
            min={160}
            max={640}
            first={<p className="note sample-pad">左：条件。宽度记在本机。</p>}
            second={<p className="note sample-pad">右：结果。</p>}
          />
        </div>
      </Sample>
      <Sample name="折叠面板">
        <div className="card">
          <Section name="styleguide.section" number={1} title="剔除" note="逐条生效" result="剩 198 只">
            <p className="note">已公告强赎、评级低于 AA-。</p>
          </Section>
          <Section
            name="styleguide.section.wrong"
            number={2}
            title="打分"
            result="一个很长很长的结果，放不下时截断，不把标题挤掉"
            folded
            wrong
          >
            <p className="note">权重须大于 0。</p>
          </Section>
        </div>
      </Sample>
    </Samples>
  )
}

const stages = ['加载数据', '计算因子', '逐日模拟', '统计指标']

function Progress() {
  const [pace, setPace] = useState(noPace)
  const [began, setBegan] = useState<number | null>(null)
  const now = pace.samples.at(-1)?.at ?? 0
  useEffect(() => {
    if (began === null) return
    const timer = setInterval(() => setPace((before) => advance(before, before.percent + 2.5, performance.now())), 200)
    return () => clearInterval(timer)
  }, [began])
  const stage = pace.percent >= 100 ? '完成' : (stages[Math.floor(pace.percent / 25)] ?? '')
  return (
    <Samples>
      <Sample name="已知进度，约剩只在守得住时写">
        <ProgressLine label="回测进度" percent={63} stage="逐日模拟 2025-04-18" left={5} onCancel={() => {}} />
      </Sample>
      <Sample name="不知要多久">
        <ProgressLine label="排队" percent={null} stage="排队中，前面还有 2 个" />
      </Sample>
      <Sample name="停下的">
        <ProgressBar label="已取消的回测" percent={41} stopped />
      </Sample>
      <Sample name="运行一次">
        <ProgressLine
          label="试运行"
          percent={pace.percent}
          stage={stage}
          left={began === null ? null : secondsLeft(pace.samples, began, now)}
        />
        <Button
          look={['small']}
          onClick={() => {
            setPace(noPace)
            setBegan(performance.now())
          }}
        >
          开始
        </Button>
      </Sample>
    </Samples>
  )
}
