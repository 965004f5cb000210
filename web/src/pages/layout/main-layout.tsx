import { Outlet } from 'react-router'

export function MainLayout() {
  return <Outlet />
}
