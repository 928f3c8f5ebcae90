import { Outlet } from '@tanstack/react-router'
import classes from './settings.module.css'
import { SettingsNav, SettingsPicker } from './settings-nav.tsx'

export function SettingsLayout() {
  return (
    <div className={classes.layout}>
      <SettingsNav />
      <SettingsPicker />
      <div className="fill rest">
        <Outlet />
      </div>
    </div>
  )
}
