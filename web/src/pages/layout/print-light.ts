import { useEffect } from 'react'

/** Paper is white: while it is printed a dark page is a light one. */
export function useLightPrint(): void {
  useEffect(() => {
    const { dataset } = document.documentElement
    let before: string | undefined
    const begin = () => {
      before = dataset['theme']
      if (before === 'dark') dataset['theme'] = 'light'
    }
    const end = () => {
      if (before === 'dark') dataset['theme'] = 'dark'
    }
    window.addEventListener('beforeprint', begin)
    window.addEventListener('afterprint', end)
    return () => {
      window.removeEventListener('beforeprint', begin)
      window.removeEventListener('afterprint', end)
    }
  }, [])
}
