import { useSuspenseQuery } from '@tanstack/react-query'
import { catalogueQuery } from '../../api/webhooks.ts'
import { SettingsPage } from '../../components/settings/settings-page.tsx'
import { useSpace } from '../../components/webhooks/space.tsx'

export function CataloguePage() {
  const { data: entries } = useSuspenseQuery(catalogueQuery(useSpace()))
  return (
    <SettingsPage title="Event types" lead="What happens here, as your services are told." width="wide">
      <ul>
        {entries.map(({ name, description }) => (
          <li key={name}>
            {name}: {description}
          </li>
        ))}
      </ul>
    </SettingsPage>
  )
}
