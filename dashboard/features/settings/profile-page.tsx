import { type MantineColorScheme, SegmentedControl, useMantineColorScheme } from '@mantine/core'
import { useOrganization } from '../../shared/use-organization.ts'
import { Section, SettingsPage } from '../../ui/sections.tsx'
import { Devices } from './profile/devices.tsx'
import { NameForm } from './profile/name-form.tsx'
import { PasswordForm } from './profile/password-form.tsx'
import { PictureForm } from './profile/picture-form.tsx'

const SCHEMES = [
  { value: 'auto', label: 'System' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
] satisfies { value: MantineColorScheme; label: string }[]

function Appearance() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <Section title="Appearance" description="Saved in this browser.">
      <SegmentedControl
        aria-label="Appearance"
        data={SCHEMES}
        value={colorScheme}
        onChange={(scheme) => setColorScheme(scheme as MantineColorScheme)}
        style={{ alignSelf: 'flex-start' }}
      />
    </Section>
  )
}

export function ProfilePage() {
  const { user } = useOrganization()
  return (
    <SettingsPage title="Profile" lead="How members of your organizations see you.">
      <PictureForm user={user} />
      <NameForm user={user} />
      <Section title="Password" description="Changing it ends your sessions on other devices.">
        <PasswordForm email={user.email} />
      </Section>
      <Devices />
      <Appearance />
    </SettingsPage>
  )
}
