import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app/app.tsx'
import { NoConnectionPage } from './app/no-connection.tsx'
import { connect } from './client/connect.ts'
import './styles.css'

const connection = connect()
const root = createRoot(document.getElementById('root') as HTMLElement)

void connection.then((found) => {
  // A page that stands in for the app has nothing to lose: the address with the token starts it anew.
  if (found.kind !== 'connected') window.addEventListener('hashchange', () => location.reload())
  root.render(
    <StrictMode>
      {found.kind === 'connected' ? <App connected={found} /> : <NoConnectionPage problem={found} />}
    </StrictMode>,
  )
})
