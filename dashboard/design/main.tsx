// The components of ui/ in their states: /design.html of `npm run dev`. The build does not include it.
import '../app/mantine-styles.ts'
import '../app/styles.css'
import '../ui/base.css'
import '../ui/layout.css'
import '../ui/parts.css'
import '../ui/pointer.css'
import '../ui/text.css'
import { MantineProvider } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import {
  createMemoryHistory,
  createRootRoute,
  createRouter,
  type RouterHistory,
  RouterProvider,
} from '@tanstack/react-router'
import { createRoot } from 'react-dom/client'
import { watchFocus } from '../ui/last-focus.ts'
import { watchLayers } from '../ui/layers.ts'
import { watchMenus } from '../ui/menu-keys.ts'
import { theme } from '../ui/theme.ts'
import { DesignPage } from './design-page.tsx'

watchFocus()
watchLayers()
watchMenus()

const openRouter = (history: RouterHistory) =>
  createRouter({ routeTree: createRootRoute({ component: DesignPage }), history })

/** A router in memory: links of components lead nowhere. */
const router = openRouter(createMemoryHistory())

createRoot(document.getElementById('root') as HTMLElement).render(
  <MantineProvider theme={theme} defaultColorScheme="auto">
    <Notifications position="bottom-right" />
    <RouterProvider router={router as never} />
  </MantineProvider>,
)
