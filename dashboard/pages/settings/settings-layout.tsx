import { Outlet } from '@tanstack/react-router'
import classes from '../../components/settings/settings.module.css'
import { SettingsNav, SettingsPicker } from '../../components/settings/settings-nav.tsx'

export function SettingsLayout() {
  return (
    <div className={classes.layout}>
      <SettingsNav />
      <SettingsPicker />
      <div className={classes.content}>
        <Outlet />
      </div>
    </div>
  )
}
