import { useEffect } from 'react'

/** Paper is white: while it is printed a dark page is a light one. */
export function useLightPrint(): void {
  useEffect(() => {
    const { dataset } = document.documentElement
    let dark = false
    // It may begin twice: a page that has much to draw announces its print before the browser does.
    const begin = () => {
      if (dataset['theme'] !== 'dark') return
      dark = true
      dataset['theme'] = 'light'
    }
    const end = () => {
      if (dark) dataset['theme'] = 'dark'
      dark = false
    }
    window.addEventListener('beforeprint', begin)
    window.addEventListener('afterprint', end)
    return () => {
      window.removeEventListener('beforeprint', begin)
      window.removeEventListener('afterprint', end)
    }
  }, [])
}
