package org.calando.report.browser;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A page of a headless browser, and what went wrong or was asked for in it. Not thread safe. */
public final class BrowserPage {
  private static final long LOAD_DEADLINE_SECONDS = 60;

  private final DevTools devTools;
  private final String session;
  private final List<String> problems = new CopyOnWriteArrayList<>();
  private final List<String> requests = new CopyOnWriteArrayList<>();
  private volatile CountDownLatch loaded = new CountDownLatch(1);

  private BrowserPage(DevTools devTools, String session) {
    this.devTools = devTools;
    this.session = session;
  }

  static BrowserPage open(DevTools devTools) {
    ObjectNode blank = DevTools.JSON.createObjectNode().put("url", "about:blank");
    String target = devTools.call("", "Target.createTarget", blank).path("targetId").asText();
    ObjectNode attach = DevTools.JSON.createObjectNode().put("targetId", target);
    attach.put("flatten", true);
    String session = devTools.call("", "Target.attachToTarget", attach).path("sessionId").asText();
    BrowserPage page = new BrowserPage(devTools, session);
    devTools.listen(session, page::event);
    for (String domain : List.of("Page", "Runtime", "Network", "Log")) {
      page.call(domain + ".enable");
    }
    return page;
  }

  /** Errors of the console, exceptions and refused loads since the page was opened. */
  public List<String> problems() {
    return List.copyOf(problems);
  }

  /** Addresses that the page asked for. */
  public List<String> requests() {
    return List.copyOf(requests);
  }

  /** Puts the page before the others: those behind it get no frames to draw. */
  public void toFront() {
    call("Page.bringToFront");
  }

  /** Sets the size in CSS pixels and the colour scheme, {@code light} or {@code dark}. */
  public void emulate(int width, int height, String scheme) {
    ObjectNode size = parameters().put("width", width).put("height", height);
    call(
        "Emulation.setDeviceMetricsOverride",
        size.put("deviceScaleFactor", 1).put("mobile", false));
    media("", scheme);
  }

  /** Sets the medium, {@code print} or empty for the screen, and the colour scheme. */
  public void media(String medium, String scheme) {
    ObjectNode media = parameters().put("media", medium);
    media.putArray("features").addObject().put("name", "prefers-color-scheme").put("value", scheme);
    call("Emulation.setEmulatedMedia", media);
  }

  /** Loads a page to the end of its scripts. */
  public void go(URI address) {
    loaded = new CountDownLatch(1);
    call("Page.navigate", parameters().put("url", address.toString()));
    try {
      if (!loaded.await(LOAD_DEADLINE_SECONDS, TimeUnit.SECONDS)) {
        throw new AssertionError(address + " does not load: " + problems);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  /** The value of an expression, awaited if it is a promise. */
  public JsonNode evaluate(String expression) {
    ObjectNode parameters = parameters().put("expression", expression);
    JsonNode told =
        call("Runtime.evaluate", parameters.put("returnByValue", true).put("awaitPromise", true));
    if (told.has("exceptionDetails")) {
      throw new AssertionError(expression + "\n" + told.path("exceptionDetails"));
    }
    return told.path("result").path("value");
  }

  /** Presses and releases a key, such as {@code Tab} or {@code Enter}. */
  public void press(String key) {
    ObjectNode down = parameters().put("type", "keyDown").put("key", key).put("code", key);
    down.put("windowsVirtualKeyCode", virtualKey(key));
    if (key.equals("Enter")) {
      down.put("text", "\r");
    }
    call("Input.dispatchKeyEvent", down);
    ObjectNode up = parameters().put("type", "keyUp").put("key", key).put("code", key);
    call("Input.dispatchKeyEvent", up.put("windowsVirtualKeyCode", virtualKey(key)));
  }

  /** Types a text where the focus is. */
  public void type(String text) {
    call("Input.insertText", parameters().put("text", text));
  }

  /** Has the page reach no network, or reach it again. */
  public void offline(boolean isOff) {
    ObjectNode network = parameters().put("offline", isOff).put("latency", 0);
    call(
        "Network.emulateNetworkConditions",
        network.put("downloadThroughput", -1).put("uploadThroughput", -1));
  }

  /** What stands against using the page by keyboard, by ear, or with weak eyes. */
  public List<String> barriers() {
    List<String> found = new ArrayList<>();
    evaluate(resource("accessibility.js")).forEach(each -> found.add(each.asText()));
    return found;
  }

  private static String resource(String name) {
    try (InputStream in = BrowserPage.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new AssertionError("not on the class path: " + name);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Lets the page save files into a folder. */
  public void downloadsTo(Path folder) {
    ObjectNode where = parameters().put("behavior", "allow").put("downloadPath", folder.toString());
    devTools.call("", "Browser.setDownloadBehavior", where);
  }

  /** The page as PDF on A4. */
  public byte[] pdf() {
    ObjectNode paper = parameters().put("preferCSSPageSize", true).put("printBackground", true);
    return Base64.getDecoder().decode(call("Page.printToPDF", paper).path("data").asText());
  }

  /** Saves a picture of a part of the page, which may lie beyond the window. */
  public void screenshot(Path file, int x, int y, int width, int height) {
    ObjectNode shot = parameters().put("format", "png").put("captureBeyondViewport", true);
    shot.putObject("clip")
        .put("x", x)
        .put("y", y)
        .put("width", width)
        .put("height", height)
        .put("scale", 1);
    try {
      String data = call("Page.captureScreenshot", shot).path("data").asText();
      Files.write(file, Base64.getDecoder().decode(data));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void event(String method, JsonNode told) {
    switch (method) {
      case "Page.loadEventFired" -> loaded.countDown();
      case "Network.requestWillBeSent" -> requests.add(told.path("request").path("url").asText());
      case "Runtime.exceptionThrown" -> problems.add(told.path("exceptionDetails").toString());
      case "Runtime.consoleAPICalled" -> {
        if (List.of("error", "warning", "assert").contains(told.path("type").asText())) {
          problems.add(told.path("args").toString());
        }
      }
      case "Log.entryAdded" -> problems.add(told.path("entry").toString());
      default -> {
        // Other events tell nothing that a test asks for.
      }
    }
  }

  private JsonNode call(String method) {
    return call(method, parameters());
  }

  private JsonNode call(String method, ObjectNode parameters) {
    return devTools.call(session, method, parameters);
  }

  private static ObjectNode parameters() {
    return DevTools.JSON.createObjectNode();
  }

  private static int virtualKey(String key) {
    return switch (key) {
      case "Tab" -> 9;
      case "Enter" -> 13;
      case " " -> 32;
      case "Escape" -> 27;
      default -> 0;
    };
  }
}
