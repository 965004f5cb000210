import { calls } from '@convexa/contract/calls'
import { sentences } from '@convexa/contract/rules/sentences'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { call } from '../../api/client.ts'
import { queries, userQuery, websiteQuery } from '../../api/queries.ts'
import { useSite } from '../../api/site.ts'
import { isComposing } from '../../base/composing.ts'
import { isAuthenticated } from '../../state/auth.ts'
import { ownPath } from '../../state/return-url.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from './notice.tsx'
import { untilWords } from './remaining.ts'

/** The site is asked again by itself this often. */
const pause = 60_000

type Answer = 'asking' | 'still' | 'over'

/** While the operator works on the site: until when, and back to where one was as soon as it is over. */
export function MaintenancePage() {
  const { maintenance } = useSite()
  const { answer, ask } = useProbe()
  const now = useNow()
  const navigate = useNavigate()
  const back = ownPath(useSearchParams()[0].get('redirect'))
  const until = maintenance?.until ?? null

  const askAndLeave = useCallback(async () => {
    if ((await ask()) === 'over') await navigate(back, { replace: true })
  }, [ask, back, navigate])
  useEffect(() => {
    void ask()
  }, [ask])
  useEffect(() => {
    const timer = setInterval(askAndLeave, pause)
    const onKey = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey } = event
      if (key === 'r' && !ctrlKey && !metaKey && !altKey && !isComposing(event)) void askAndLeave()
    }
    window.addEventListener('keydown', onKey)
    return () => {
      clearInterval(timer)
      window.removeEventListener('keydown', onKey)
    }
  }, [askAndLeave])

  if (answer === 'over')
    return (
      <Notice
        icon="check"
        title="系统运行正常"
        ways={
          <Button look={['primary']} onClick={() => navigate(back, { replace: true })}>
            {back === '/' ? '进入' : '回到原页面'}
          </Button>
        }
      >
        <p>现在没有进行维护。</p>
      </Notice>
    )
  return (
    <Notice
      icon="lock"
      title={sentences.maintenance}
      ways={
        <Button look={['primary']} onClick={askAndLeave} disabled={answer === 'asking'} aria-keyshortcuts="r">
          {answer === 'asking' ? '正在检测…' : '重新检测'}
        </Button>
      }
    >
      {until && <p>{untilWords(until, now)}</p>}
      <p>维护期间 QMT 已导出的配置不受影响；网页端暂不能更新名单。</p>
      <p className="size-12">每 60 秒自动检测一次，恢复后回到原页面。按 R 立即检测。</p>
      <p className="size-12" role="status">
        {answer === 'still' ? '仍在维护' : ''}
      </p>
    </Notice>
  )
}

/** Probes the site's texts and, when logged in, a call of the user: the texts may be served while all else is down. */
function useProbe() {
  const [answer, setAnswer] = useState<Answer>('asking')
  const asking = useRef<Promise<Answer> | null>(null)
  const ask = useCallback(() => {
    asking.current ??= probe().finally(() => {
      asking.current = null
    })
    return asking.current.then((next) => {
      setAnswer(next)
      return next
    })
  }, [])
  return { answer, ask }
}

async function probe(): Promise<Answer> {
  try {
    const site = await queries.fetchQuery({ ...websiteQuery, staleTime: 0, retry: false })
    if (site.maintenance?.on) return 'still'
    if (isAuthenticated()) await call(calls.user.info, undefined)
    await queries.invalidateQueries({ queryKey: userQuery.queryKey })
    return 'over'
  } catch {
    return 'still'
  }
}

/** The time, to the minute. */
function useNow(): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 15_000)
    return () => clearInterval(timer)
  }, [])
  return now
}
