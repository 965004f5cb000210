import { Workbench } from '../../quant/workbench.tsx'

/** 高级回测 / 回测: the builder with its settings, and the run beside it. */
export function BacktestPage() {
  return (
    <Workbench withSettings action={{ label: '运行回测', run: () => {} }}>
      {null}
    </Workbench>
  )
}
