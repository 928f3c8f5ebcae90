import { House } from 'lucide-react'
import type { Navigation } from '../../shared/navigation.ts'
import { homePaths } from './paths.ts'

export const homeNavigation: Navigation = {
  pages: [
    {
      title: 'Home',
      icon: House,
      alsoKnownAs: 'start overview',
      to: homePaths.home,
    },
  ],
}
