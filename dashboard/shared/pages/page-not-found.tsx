import { Compass } from 'lucide-react'
import { EmptyState } from '../state.tsx'
import { GoHome } from './go-home.tsx'

export function PageNotFound() {
  return (
    <EmptyState icon={Compass} title="There is no page here" action={<GoHome />} isPage>
      The address may be mistyped, what it names may be deleted, or it belongs to an organization you are not
      a member of.
    </EmptyState>
  )
}
