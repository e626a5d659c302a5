// `npm start`: everything a fresh clone needs, then the desktop window, or the same app served to a browser.
import { gate } from './node-version.mjs'

gate()
import('./open-app.mjs').then((module) => module.openApp(process.argv.slice(2)))
