import { useState } from 'react'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { useSecondsTo } from './use-seconds-to.ts'

/** A minute before a login ends: time to save, and the way to stay. A login of the longest age can only be begun anew. */
export function LoginEnding({
  end,
  onStay,
  onLeave,
  onClose,
}: {
  end: number
  /** @returns whether it goes on for more than this minute */
  onStay: () => Promise<boolean>
  onLeave: () => void
  onClose: () => void
}) {
  const seconds = useSecondsTo(end)
  const [state, setState] = useState<'open' | 'asking' | 'last'>('open')
  const stay = async () => {
    setState('asking')
    if (!(await onStay())) setState('last')
  }
  return (
    <Dialog
      title={`登录将在 ${seconds} 秒后到期`}
      role="alertdialog"
      onClose={onClose}
      width={400}
      footer={
        <>
          <Button onClick={onClose}>{state === 'last' ? '先去保存' : '知道了'}</Button>
          {state === 'last' ? (
            <Button look={['primary']} onClick={onLeave}>
              重新登录
            </Button>
          ) : (
            <Button look={['primary']} disabled={state === 'asking'} onClick={stay} data-focus>
              保持登录
            </Button>
          )}
        </>
      }
    >
      {state === 'last'
        ? '没有能延长：这次登录已到最长期限，或暂时连不上服务器。请先保存正在填写的内容，再重新登录。'
        : '正在填写而没有保存的内容，到期后需要重新登录才能保存；策略草稿保留在本机。'}
    </Dialog>
  )
}
