import { Compass } from 'lucide-react'
import { EmptyState } from '../state.tsx'
import { GoHome } from './go-home.tsx'

export function PageNotFound() {
  return (
    <EmptyState icon={Compass} title="Page not found" action={<GoHome />} isPage>
      The address may be wrong, or the page was deleted or belongs to an organization you are not a member of.
    </EmptyState>
  )
}
